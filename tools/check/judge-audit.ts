import type { StepResult } from './run-steps.ts'

const SEVERE: ReadonlySet<string> = new Set(['high', 'critical'])

/**
 * What `npm audit --json` found in what is installed. Where the registry did not answer, nothing is known, and the step
 * says so instead of failing: a fault of the network is none of the project's.
 */
export function judgeAudit(output: string): StepResult {
  const report = parse(output)
  if (report?.vulnerabilities === undefined) {
    return {
      ok: true,
      note: `NOT CHECKED, the registry did not answer: ${report?.message ?? output.slice(0, 200)}`,
    }
  }
  const severe = Object.entries(report.vulnerabilities).filter(([, { severity }]) => SEVERE.has(severity))
  if (severe.length === 0) return { ok: true }
  const names = severe.map(([name, { severity }]) => `${name}: ${severity}`)
  return { ok: false, output: `Known faults (details: npm audit --omit=dev):\n${names.join('\n')}` }
}

type Report = {
  readonly message?: string
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string }>>
}

function parse(output: string): Report | null {
  try {
    return JSON.parse(output)
  } catch {
    return null
  }
}
