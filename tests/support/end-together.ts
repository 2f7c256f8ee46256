import { spawn } from 'node:child_process'

/** Runs beside this process until the pipe from it closes, which the system does however it ends. */
const KEEPER = `
  const [pid, signal, folder] = process.argv.slice(1)
  process.stdin.resume().on('close', () => {
    try {
      process.kill(Number(pid), signal)
    } catch {}
    require('node:fs').rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })`

/**
 * Ends a process that this one has started, and removes its folder, when this one has been killed and can do neither
 * itself. The function that is returned calls it off.
 */
export function endTogether(
  pid: number,
  { signal, folder }: { signal: NodeJS.Signals; folder: string },
): () => void {
  const keeper = spawn(process.execPath, ['--eval', KEEPER, '--', String(pid), signal, folder], {
    // What is sent to the whole group of this process, Ctrl+C say, does not end the keeper before its time.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  keeper.on('error', () => {})
  keeper.unref()
  // A pipe is a socket, whatever its type says. It does not keep this process alive either.
  if ('unref' in keeper.stdin && typeof keeper.stdin.unref === 'function') keeper.stdin.unref()
  return () => void keeper.kill('SIGKILL')
}
