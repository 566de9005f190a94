"""How nbgrader finds the problem sets, and how patient it is with them."""

c = get_config()

c.CourseDirectory.course_id = "attention-derived"
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "exercises"

c.ClearSolutions.code_stub = {"python": "raise NotImplementedError"}
c.ClearSolutions.text_stub = "*Write your answer here.*"

# A busy machine takes longer than the defaults to start a kernel or to send output.
c.ExecutePreprocessor.timeout = 120
c.ExecutePreprocessor.startup_timeout = 120
c.ExecutePreprocessor.iopub_timeout = 60

# Students' code runs in a sandbox, and their tests outside it: see src/autograder.
c.Autograde.sanitize_preprocessors = []
c.Autograde.autograde_preprocessors = [
    "autograder.nbgrader_plugin.JudgeOutside",
    "autograder.nbgrader_plugin.SaveVerdict",
    "nbgrader.preprocessors.AssignLatePenalties",
]
