import { spawn } from 'node:child_process'

/**
 * The keeper process runs until its pipe from this process closes. The operating system closes the pipe however this process
 * ends.
 */
const KEEPER = `
  const [pid, signal, folder] = process.argv.slice(1)
  process.stdin.resume().on('close', () => {
    try {
      process.kill(Number(pid), signal)
    } catch {}
    require('node:fs').rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })`

/**
 * Ends a child process and removes its folder when this process is killed and cannot do so itself. Returns a function that
 * cancels this.
 */
export function killChildOnExit(
  pid: number,
  { signal, folder }: { signal: NodeJS.Signals; folder: string },
): () => void {
  const keeper = spawn(process.execPath, ['--eval', KEEPER, '--', String(pid), signal, folder], {
    // In a process group of its own, so that a signal to this process's group (Ctrl+C, for example) does not end the keeper too
    // early.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  keeper.on('error', () => {})
  keeper.unref()
  // A pipe is a socket at run time, although its type does not say so. Unreferenced, so that it does not keep this process alive.
  if ('unref' in keeper.stdin && typeof keeper.stdin.unref === 'function') keeper.stdin.unref()
  return () => void keeper.kill('SIGKILL')
}
