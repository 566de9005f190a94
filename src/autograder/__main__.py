"""Starts the command line. Workers load this module too, and need nothing of it."""

if __name__ == "__main__":
    from autograder.command import app

    app()
