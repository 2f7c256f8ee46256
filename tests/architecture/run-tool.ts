import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** The project's root folder. */
export const ROOT = join(import.meta.dirname, '../..')

export type ToolResult = {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a JavaScript file of an installed package as `node_modules/{script} {args}` in `folder`. */
export function runTool(script: string, args: readonly string[], folder: string): Promise<ToolResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(ROOT, 'node_modules', script), ...args], { cwd: folder })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    child.on('error', reject)
    child.on('close', (exitCode) => resolve({ exitCode, stdout, stderr }))
  })
}
