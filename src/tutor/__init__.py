"""What speaks to the learner: figures with captions, feedback, interactives."""
