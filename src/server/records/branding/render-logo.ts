import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { LIMITS } from '#contract/shared/limits.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { LogoProcessResult, RenderedLogo } from './logo-process.ts'

/** A logo as it is stored: a re-encoded PNG. */
export type LogoImage = RenderedLogo & { readonly hash: string }

type Drawing = {
  readonly ownerId: OwnerId
  /** The time limit for drawing, in milliseconds, including the start of the process. */
  readonly limitMs?: number
}

const LIMIT_MS = 10_000
const LOGO_PROCESS = join(import.meta.dirname, 'logo-process.ts')

/** Promise that resolves when the last image in the shared queue has been drawn. */
let line: Promise<unknown> = Promise.resolve()
/** For each owner with a waiting image, a promise that resolves when the last of their images has been drawn. */
const linesOfOwners = new Map<OwnerId, Promise<unknown>>()

/**
 * Re-encodes an image as a small, still PNG, so that nothing else of the file reaches a visitor: no script, no
 * metadata, no second frame. An image that exceeds the time or memory limit is refused. Images are drawn one at a time,
 * which bounds the memory. An owner waits for at most one image of each other owner. Source: rule K4.
 * @throws ProblemError `branding.logo_too_large`, `branding.logo_not_an_image`
 */
export async function renderLogo(file: Buffer, { ownerId, limitMs = LIMIT_MS }: Drawing): Promise<LogoImage> {
  if (file.byteLength > LIMITS.logoBytes) throw new ProblemError('branding.logo_too_large')
  const answer = await inTurn(ownerId, () => drawInProcess(file, limitMs))
  if ('refused' in answer) throw new ProblemError(answer.refused)
  return { ...answer, hash: createHash('sha256').update(answer.content).digest('hex') }
}

/**
 * Queues the work fairly: only the first image of each owner is in the shared queue. The owner's next image joins the
 * end of the shared queue afterwards.
 */
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
 * Draws in a separate process, which has exited when the result is returned. The library that draws SVG ignores time
 * limits, so only killing the process stops it. The process gets no environment variables, because they contain
 * secrets.
 */
function drawInProcess(file: Buffer, limitMs: number): Promise<LogoProcessResult> {
  return new Promise((resolve, reject) => {
    const child = fork(LOGO_PROCESS, {
      env: {},
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      timeout: limitMs,
      killSignal: 'SIGKILL',
    })
    let answer: LogoProcessResult | null = null
    child.once('message', (message) => {
      answer = message as LogoProcessResult // The process sends nothing else.
      child.kill('SIGKILL')
    })
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      if (answer !== null) resolve(answer)
      else if (signal === null) reject(new Error(`The process that draws a logo ended with ${code}`))
      // SIGKILL means that the process exceeded the time or memory limit. Any other signal means that the library
      // crashed on the file.
      else
        resolve({ refused: signal === 'SIGKILL' ? 'branding.logo_too_large' : 'branding.logo_not_an_image' })
    })
    // Ignore errors here: if the process exits before it has received the whole file, its exit code says more.
    child.send(file, () => {})
  })
}
