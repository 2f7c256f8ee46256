import { spawn } from 'node:child_process'

export type ScriptOptions = {
  /** Shows what it prints as it goes, instead of keeping it. */
  readonly live?: boolean
  readonly env?: Readonly<Record<string, string>>
}

/** Runs a JavaScript or TypeScript file with this Node, from the root of the project. */
export function runScript(
  [script, ...args]: readonly [script: string, ...args: string[]],
  { live = false, env = {} }: ScriptOptions = {},
): Promise<{ readonly ok: boolean; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], {
      env: { ...process.env, ...env },
      stdio: live ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
    }
    child.on('error', reject)
    child.on('close', (exitCode) => resolve({ ok: exitCode === 0, output }))
  })
}
