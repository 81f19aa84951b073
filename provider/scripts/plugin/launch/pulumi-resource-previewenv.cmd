@echo off
rem Starts the plugin with the Node beside it, or else with the one on PATH.
setlocal
set "PREVIEWENV_NODE=%~dp0node.exe"
if not exist "%PREVIEWENV_NODE%" set "PREVIEWENV_NODE=node"
"%PREVIEWENV_NODE%" "%~dp0start.cjs" %*
