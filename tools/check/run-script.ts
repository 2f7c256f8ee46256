import { spawn } from 'node:child_process'

export type ScriptOptions = {
  /** Shows what it prints as it goes, instead of keeping it. */
  readonly live?: boolean
  readonly env?: Readonly<Record<string, string>>
  /** Ends the script, with all that it has started, when it takes longer. Without it, it may take as long as it likes. */
  readonly limitMs?: number
}

/**
 * Runs a JavaScript or TypeScript file with this Node, from the root of the project. */
export function runScript(
  [script, ...args]: readonly [script: string, ...args: string[]],
  { live = false, env = {}, limitMs }: ScriptOptions = {},
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
