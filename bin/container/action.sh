#!/bin/bash
# The steps of the GitHub action (action.yml): installs the package, then runs scenario files. Inputs arrive in environment
# variables and never become text of this script, so that no input is executed.
set -euo pipefail

folder="${RUNNER_TEMP:?}/fiscal-rig"
report="$folder/junit.xml"

install() {
  mkdir -p "$folder"
  if [ -n "${RIG_VERSION:-}" ]; then
    npm install --prefix "$folder" --no-save --no-audit --no-fund --loglevel=error "$RIG_VERSION"
    echo "$folder/node_modules/.bin/fiscal-rig" > "$folder/program"
  else
    # The checkout of the action itself, which runs on its own Node.
    (cd "$GITHUB_ACTION_PATH" && { [ -e node_modules/.package-lock.json ] || npm ci --include=dev --no-audit --no-fund --loglevel=error; })
    echo "$GITHUB_ACTION_PATH/bin/fiscal-rig.mjs" > "$folder/program"
  fi
}

run() {
  local -a files=() arguments=()
  # Blanks and line ends separate arguments; the program expands patterns.
  set -f
  # shellcheck disable=SC2206
  files=(${RIG_FILES:?})
  # shellcheck disable=SC2206
  arguments=(${RIG_ARGUMENTS:-})
  set +f
  if [ -n "${RIG_FAMILY:-}" ]; then arguments+=(--family "$RIG_FAMILY"); fi
  echo "junit=$report" >> "${GITHUB_OUTPUT:-/dev/null}"
  "$(cat "$folder/program")" run "${arguments[@]}" --reporter github --reporter "junit=$report" -- "${files[@]}"
}

"$1"
