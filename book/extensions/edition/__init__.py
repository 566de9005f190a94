"""The student edition: what the public sees, written from what the course is made of.

``python -m edition`` writes it as a git repository of one commit, and publishes it
together with the book. The book uses the same modules, so that its buttons, its
downloads and the edition agree.
"""
