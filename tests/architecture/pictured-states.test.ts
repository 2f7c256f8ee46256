import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PROBLEMS } from '#contract/problem.ts'
import { SCREEN_GROUPS } from '#e2e/screens/all-screens.ts'
import { isWaiting, type Screen, sightsOf } from '#e2e/screens/screen.ts'
import { ROOT } from './run-tool.ts'
import { listStates, type State } from './state-texts.ts'

/** Files whose states need no picture of their own, and why. */
const WITHOUT_PICTURE: Readonly<Record<string, string>> = {
  'src/web/kit/load-error.tsx': 'hands on the texts of those who use it, which have their pictures',
  'src/web/site/ui-kit/messages-section.tsx': 'a sample of the state, on the picture of the kit',
}

/** Texts that only a run decides, as they are written, and what they say on the pictures. */
const DECIDED_LATER: Readonly<Record<string, string>> = {
  // page-error.tsx: the refusal, or what is said of a server that answers with nothing.
  '{sentence}': PROBLEMS['server.unexpected'].title,
}

const SCREENS = SCREEN_GROUPS.flatMap(({ screens }) => screens)

test('every state of loading or failing has a picture', async () => {
  const states = await findStates()
  expect(states.length).toBeGreaterThan(50)
  const unseen = states.filter((state) => !(state.path in WITHOUT_PICTURE) && !isSeen(state, SCREENS))
  expect(unseen.map(({ path, text }) => `${path}: ${text}`)).toEqual([])
})

test('what needs no picture is still there', async () => {
  const states = await findStates()
  const paths = new Set(states.map(({ path }) => path))
  const texts = new Set(states.map(({ text }) => text))
  expect(Object.keys(WITHOUT_PICTURE).filter((path) => !paths.has(path))).toEqual([])
  expect(Object.keys(DECIDED_LATER).filter((text) => !texts.has(text))).toEqual([])
})

test('a state that no screen shows, or only in passing, is found', () => {
  const [state] = listStates('src/web/a.tsx', '<LoadingState text="Loading plants..." />')
  const waiting: Screen = { name: 'plants', path: '/', sees: 'Loading plants...', waits: true }
  const isSeenOn = (screen: Screen) => state !== undefined && isSeen(state, [screen])
  expect(isSeenOn(waiting)).toBe(true)
  expect(isSeenOn({ ...waiting, sees: ['Plants', /^Loading plants\.\.\.$/] })).toBe(true)
  expect(isSeenOn({ ...waiting, sees: /plants/ })).toBe(false)
  expect(isSeenOn({ ...waiting, sees: 'Loading animals...' })).toBe(false)
  expect(isSeenOn({ name: 'plants', path: '/', sees: 'Loading plants...', fails: true })).toBe(false)
})

/** Whether a screen waits or fails on purpose and looks for this very text. */
function isSeen({ kind, text }: State, screens: readonly Screen[]): boolean {
  const isMeant = (screen: Screen) => (kind === 'loading' ? isWaiting(screen) : screen.fails === true)
  const isText = toPattern(DECIDED_LATER[text] ?? text)
  return screens.filter(isMeant).some((screen) =>
    sightsOf(screen).some((sight) =>
      // A pattern that is found anywhere would see too much.
      typeof sight === 'string' ? isText.test(sight) : /^\^.*\$$/.test(sight.source) && sight.test(text),
    ),
  )
}

/** A text as it is shown: what a template fills in may be anything. */
function toPattern(text: string): RegExp {
  const parts = text.split(/\$\{[^}]*\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.+')}$`)
}

async function findStates(): Promise<State[]> {
  const paths = await readdir(join(ROOT, 'src/web'), { recursive: true })
  const sources = paths
    .map((path) => `src/web/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.tsx') && !path.endsWith('.test.tsx'))
  const found = await Promise.all(
    sources.map(async (path) => listStates(path, await readFile(join(ROOT, path), 'utf8'))),
  )
  return found.flat()
}
