# Short names for start.py; on Windows, call start.py itself.
.PHONY: lab test doctor refresh
lab test doctor refresh:
	python3 start.py $@
