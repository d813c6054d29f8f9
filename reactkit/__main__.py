"""`python -m reactkit doctor`: check this machine; the exit status is 1 where a check failed."""

import sys

from reactkit.doctor import examine, report

USAGE = """usage: python -m reactkit doctor

Checks this machine: one line for each thing the kit needs, OK, or FAIL with the remedy."""

if sys.argv[1:] != ["doctor"]:
    sys.exit(USAGE)
checks = examine()
print(report(checks))
sys.exit(not all(check.ok for check in checks))
