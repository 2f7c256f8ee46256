import { type ChildProcess, fork } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause, setImmediate as untilNextEvents } from 'node:timers/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { renderLogo } from './render-logo.ts'

const GREEDY = 'greedy' as OwnerId // Drawing needs no session.
const NEIGHBOUR = 'neighbour' as OwnerId
const SMALL = svg('<rect width="400" height="160"/>')
/** An 8 kB file that takes minutes to draw. */
const HEAVY = svg(`
  <filter id="f" x="0" y="0" width="1" height="1">
    <feTurbulence numOctaves="9" baseFrequency=".7"/><feGaussianBlur stdDeviation="40"/>
    <feMorphology operator="dilate" radius="30"/>
  </filter>${'<rect width="400" height="160" fill="#f80" opacity=".9" filter="url(#f)"/>'.repeat(100)}`)
/** Each step of the filter has a name, so its image of 256 kB is kept: 1 GB in all. Drawing takes a second. */
const VAST = svg(`
  <filter id="f" x="0" y="0" width="1" height="1">
    ${Array.from({ length: 4_000 }, (_, step) => `<feOffset dx="1" result="r${step}"/>`).join('')}
  </filter><rect width="400" height="160" filter="url(#f)"/>`)
const TOO_LARGE = { code: 'branding.logo_too_large' }

/** The processes that were started, in order. */
const started: ChildProcess[] = []
function noteProcess(message: unknown): void {
  started.push((message as { process: ChildProcess }).process) // Node puts the process into this message.
}
beforeAll(() => subscribe('child_process', noteProcess))
afterAll(() => {
  unsubscribe('child_process', noteProcess)
})

describe('an SVG of 8 kB that takes minutes to draw. Source: rule K4', () => {
  test('is refused when its time is over, and nothing draws on', async () => {
    const begunMs = performance.now()
    await expect(renderLogo(HEAVY, { ownerId: GREEDY, limitMs: 1_500 })).rejects.toMatchObject(TOO_LARGE)
    expect(performance.now() - begunMs).toBeGreaterThan(1_400)
    expect(performance.now() - begunMs).toBeLessThan(8_000)
    expect(started.filter(isRunning)).toEqual([])
  })

  test('does not hold up the logo of somebody else longer than that, however many of them wait', {
    tags: ['slow'],
  }, async () => {
    const ends: string[] = []
    const heavy = [1, 2, 3].map(() =>
      renderLogo(HEAVY, { ownerId: GREEDY, limitMs: 1_000 }).catch(({ code }) => ends.push(code)),
    )
    const small = await renderLogo(SMALL, { ownerId: NEIGHBOUR })
    ends.push('drawn')
    expect(small).toMatchObject({ width: 400, height: 160 })
    await Promise.all(heavy)
    expect(ends).toEqual([TOO_LARGE.code, 'drawn', TOO_LARGE.code, TOO_LARGE.code])
    expect(started.filter(isRunning)).toEqual([])
  })

  test.runIf(process.platform === 'linux')(
    'is drawn by a process that has no settings of this one',
    async () => {
      const heavy = renderLogo(HEAVY, { ownerId: GREEDY, limitMs: 1_000 }).catch((error) => error)
      await untilNextEvents()
      const environment = await readFile(`/proc/${started.at(-1)?.pid}/environ`, 'utf8')
      // Ignore the variables that Node sets for its processes; they are not our settings.
      expect(environment.split('\0').filter((setting) => !/^(NODE_\w+=.*)?$/.test(setting))).toEqual([])
      expect(environment).not.toBe('')
      await heavy
    },
  )

  test('is not drawn on when the process that asked has ended', async () => {
    const child = fork(join(import.meta.dirname, 'logo-process.ts'), {
      env: {},
      execArgv: [],
      serialization: 'advanced',
    })
    const ended = new Promise((resolve) => child.once('exit', (_code, signal) => resolve(signal)))
    child.send(HEAVY)
    await pause(1_000)
    child.disconnect()
    expect(await Promise.race([ended, pause(10_000)])).toBe('SIGKILL')
  })
})

test('an SVG that asks for a gigabyte is refused before it has it. Source: rule K4', async () => {
  await expect(renderLogo(VAST, { ownerId: GREEDY })).rejects.toMatchObject(TOO_LARGE)
})

test('what can be drawn is drawn, and no process is left. Source: rule K4', async () => {
  const blue = sharp({ create: { width: 800, height: 320, channels: 3, background: '#00f' } })
  const files = [
    SMALL,
    ...(await Promise.all([blue.png(), blue.jpeg(), blue.webp()].map((i) => i.toBuffer()))),
  ]
  const logos = await Promise.all(files.map((file) => renderLogo(file, { ownerId: NEIGHBOUR })))
  for (const { content, width, height } of logos) {
    expect(await sharp(content).metadata()).toMatchObject({ format: 'png', width: 400, height: 160 })
    expect([width, height]).toEqual([400, 160])
  }
  expect(started.filter(isRunning)).toEqual([])
})

function svg(content: string): Buffer {
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="400" height="160">${content}</svg>`)
}

function isRunning({ pid }: ChildProcess): boolean {
  try {
    return pid !== undefined && process.kill(pid, 0)
  } catch {
    return false
  }
}
