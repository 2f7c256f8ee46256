/** The values of `npm_lifecycle_event` for `npm start`, `npm run dev` and `npx node src/server/main.ts`. */
const COMMANDS = ['start', 'dev', 'npx']
/** Interval at which the parent process is checked, in milliseconds. */
const CHECK_EVERY_MS = 500
/**
 * Maximum duration of a graceful stop, in milliseconds. npm has ended, so nobody else would kill a process that hangs.
 */
const STOP_MS = 15_000

/**
 * Stops this process gracefully when npm started it and its parent has ended.
 *
 * npm runs a command in a shell and passes SIGTERM to that shell only. The shell ends, and without this check the
 * product would keep running and keep its port and its data directory. A SIGKILL to npm does not end the shell, so the
 * product keeps running.
 *
 * If systemd, a container or a person starts the product without npm, the product gets their signals directly, so
 * nothing is checked.
 */
export function stopWhenNpmStops(lifecycleEvent: string | undefined): void {
  if (lifecycleEvent === undefined || !COMMANDS.includes(lifecycleEvent)) return
  const parentPid = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parentPid && isRunning(parentPid)) return
    clearInterval(timer)
    stopGracefully()
  }, CHECK_EVERY_MS).unref()
}

/** Has the same effect as SIGTERM, which Windows does not have. Exits at once while nothing listens for SIGTERM yet. */
function stopGracefully(): void {
  setTimeout(() => process.exit(1), STOP_MS).unref()
  if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(1)
}

/** True while a process runs. Needed because on Windows `process.ppid` stays the same after the parent has ended. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM means that the process exists and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
