import { spawn } from 'node:child_process'

export type ScriptOptions = {
  /** Prints the script's output directly instead of returning it. */
  readonly live?: boolean
  readonly env?: Readonly<Record<string, string>>
  /**
   * Timeout in milliseconds, after which the script and all processes that it started are ended. Without it, there is no timeout.
   */
  readonly limitMs?: number
}

/** Runs a JavaScript or TypeScript file with the current Node, in the project's root folder. */
export function runScript(
  [script, ...args]: readonly [script: string, ...args: string[]],
  { live = false, env = {}, limitMs }: ScriptOptions = {},
): Promise<{ readonly ok: boolean; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], {
      env: { ...process.env, ...env },
      stdio: live ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
      // A new process group, so that all processes that the script starts can be ended with it.
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
    const onLimit = () => {
      const sentence = `It was ended because it took longer than ${limitMs} ms.`
      if (live) console.error(sentence)
      output += sentence
      endGroup()
    }
    const timer = limitMs === undefined ? undefined : setTimeout(onLimit, limitMs)
    process.once('SIGINT', onInterrupt).once('SIGTERM', onInterrupt)
    child.on('error', reject)
    child.on('close', (exitCode) => {
      clearTimeout(timer)
      process.off('SIGINT', onInterrupt).off('SIGTERM', onInterrupt)
      resolve({ ok: exitCode === 0, output })
    })
  })
}
