import { z } from 'zod'

/** The result of one check. `problem` says what is wrong and what to do about it; null when the check passed. */
const findingSchema = z.object({
  about: z.enum(['settings', 'database', 'clock', 'jobs', 'mail', 'dns', 'tls', 'keys', 'backup']),
  /** The name of the check, for the report. */
  what: z.string(),
  problem: z.string().nullable(),
})
export const findingsSchema = z.array(findingSchema)
export type Finding = Readonly<z.infer<typeof findingSchema>>
export type CheckSubject = Finding['about']

export function toPassedFinding(about: CheckSubject, what: string): Finding {
  return { about, what, problem: null }
}

export function toFailedFinding(about: CheckSubject, what: string, problem: string): Finding {
  return { about, what, problem }
}

/** Returns the message of any thrown value. */
export function toErrorMessage(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : String(error)
}

/** Formats one line per check, with problems last, where a terminal shows them. */
export function writeReport(findings: readonly Finding[]): string {
  const ordered = [...findings].sort((a, b) => Number(a.problem !== null) - Number(b.problem !== null))
  const lines = ordered.map(({ about, what, problem }) =>
    problem === null ? `  ok     ${about}: ${what}` : `  WRONG  ${about}: ${what}\n         ${problem}`,
  )
  const count = findings.filter(({ problem }) => problem !== null).length
  const last = count === 0 ? 'Nothing is wrong.' : `Wrong: ${count} of ${findings.length}.`
  return `${[...lines, last].join('\n')}\n`
}
