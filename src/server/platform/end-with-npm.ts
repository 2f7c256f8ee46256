/** The value of `npm_lifecycle_event` for `npm start`, `npm run dev` and `npx node src/server/main.ts`. */
const COMMANDS = ['start', 'dev', 'npx']
/** How often to check the parent process, in milliseconds. */
const CHECK_EVERY_MS = 500
/** How long a graceful stop may take, in milliseconds. Nobody is left who would end it by force. */
const STOP_MS = 15_000

/**
 * Stops this process gracefully when npm started it and its parent has ended.
 *
 * npm runs a command in a shell and passes SIGTERM to that shell only. The shell ends, and without this check the product would go on
 * and keep its port and its data directory. A SIGKILL to npm leaves the shell, so the product goes on.
 *
 * A product that systemd, a container or a person starts without npm gets their signals itself, so nothing is checked.
 */
export function endWithNpm(lifecycleEvent: string | undefined): void {
  if (lifecycleEvent === undefined || !COMMANDS.includes(lifecycleEvent)) return
  const parentPid = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parentPid && isRunning(parentPid)) return
    clearInterval(timer)
    stopGracefully()
  }, CHECK_EVERY_MS).unref()
}

/** Does the same as SIGTERM, which Windows does not have. Exits at once when nothing listens for SIGTERM yet. */
function stopGracefully(): void {
  setTimeout(() => process.exit(1), STOP_MS).unref()
  if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(1)
}

/** On Windows, `process.ppid` stays the same after the parent has ended. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
