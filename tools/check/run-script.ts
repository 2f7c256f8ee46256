import { spawn } from 'node:child_process'
import { MINUTE_MS } from '#core/shared/duration.ts'

export type ScriptOptions = {
  /** Shows what it prints as it goes, instead of keeping it. */
  readonly live?: boolean
  readonly env?: Readonly<Record<string, string>>
  /** Ends the script, with all that it has started, when it takes longer. */
  readonly limitMs?: number
}

/** Several times what the slowest script takes on a busy machine. */
const LIMIT_MS = 40 * MINUTE_MS

/**
 * Runs a JavaScript or TypeScript file with this Node, from the root of the project. A script that hangs is ended: a test that
 * never lets go of its process would otherwise run until somebody looks.
 */
export function runScript(
  [script, ...args]: readonly [script: string, ...args: string[]],
  { live = false, env = {}, limitMs = LIMIT_MS }: ScriptOptions = {},
): Promise<{ readonly ok: boolean; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], {
      env: { ...process.env, ...env },
      stdio: live ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
      // A process group of its own, so that what it has started can be ended with it.
      detached: true,
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
    }
    const endGroup = () => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    }
    const onInterrupt = () => {
      endGroup()
      process.exit(130)
    }
    const timer = setTimeout(() => {
      output += `It was ended because it took longer than ${limitMs / MINUTE_MS} minutes.`
      endGroup()
    }, limitMs)
    process.once('SIGINT', onInterrupt).once('SIGTERM', onInterrupt)
    child.on('error', reject)
    child.on('close', (exitCode) => {
      clearTimeout(timer)
      process.off('SIGINT', onInterrupt).off('SIGTERM', onInterrupt)
      resolve({ ok: exitCode === 0, output })
    })
  })
}
