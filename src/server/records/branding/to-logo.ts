import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { LIMITS } from '#contract/limits.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { DrawnLogo, LogoResult } from './logo-process.ts'

/** A logo as it is kept: a PNG that was drawn anew. */
export type LogoImage = DrawnLogo & { readonly hash: string }

type Drawing = {
  readonly ownerId: OwnerId
  /** How long it may take to draw, in milliseconds; the start of a process is included. */
  readonly limitMs?: number
}

const LIMIT_MS = 10_000
const LOGO_PROCESS = join(import.meta.dirname, 'logo-process.ts')

/** Ends with the last image that was given its turn. */
let line: Promise<unknown> = Promise.resolve()
/** Of each owner with an image that waits or is drawn: ends with the last of them. */
const linesOfOwners = new Map<OwnerId, Promise<unknown>>()

/**
 * Draws an image anew, small and still, so that nothing of the file reaches a visitor: no script, no metadata, no second
 * frame. An image that takes longer than the limit, or too much memory, is refused. One image is drawn at a time, so that many
 * cost no more memory than one. An owner waits for at most one image of each other owner.
 * Source: rule K4.
 * @throws ProblemError `branding.logo_too_large`, `branding.logo_not_an_image`
 */
export async function toLogo(file: Buffer, { ownerId, limitMs = LIMIT_MS }: Drawing): Promise<LogoImage> {
  if (file.byteLength > LIMITS.logoBytes) throw new ProblemError('branding.logo_too_large')
  const answer = await inTurn(ownerId, () => drawInProcess(file, limitMs))
  if ('refused' in answer) throw new ProblemError(answer.refused)
  return { ...answer, hash: createHash('sha256').update(answer.content).digest('hex') }
}

/** Only the first image of an owner stands in the line of all. The next goes to its end when that is drawn. */
async function inTurn<Answer>(ownerId: OwnerId, draw: () => Promise<Answer>): Promise<Answer> {
  const before = linesOfOwners.get(ownerId) ?? Promise.resolve()
  const drawn = before.then(() => {
    const turn = line.then(draw)
    line = turn.catch(() => {})
    return turn
  })
  const ended = drawn.catch(() => {})
  linesOfOwners.set(ownerId, ended)
  try {
    return await drawn
  } finally {
    if (linesOfOwners.get(ownerId) === ended) linesOfOwners.delete(ownerId)
  }
}

/**
 * Draws in a process of its own, which has ended when the answer is there. Only the end of the process stops the library that
 * draws SVG: it looks at no time limit. The process is given no settings, because they have secrets.
 */
function drawInProcess(file: Buffer, limitMs: number): Promise<LogoResult> {
  return new Promise((resolve, reject) => {
    const child = fork(LOGO_PROCESS, {
      env: {},
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      timeout: limitMs,
      killSignal: 'SIGKILL',
    })
    let answer: LogoResult | null = null
    child.once('message', (message) => {
      answer = message as LogoResult // The process sends nothing else.
      child.kill('SIGKILL')
    })
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      if (answer !== null) resolve(answer)
      else if (signal === null) reject(new Error(`The process that draws a logo ended with ${code}`))
      // Too much time or memory ends it by SIGKILL. Any other signal means that the library crashed on the file.
      else
        resolve({ refused: signal === 'SIGKILL' ? 'branding.logo_too_large' : 'branding.logo_not_an_image' })
    })
    // When it has ended before it was sent all, its exit says more.
    child.send(file, () => {})
  })
}
