import type { Page } from '@playwright/test'
import type { Answers } from './answers.ts'
import type { World } from './world.ts'

/** Who looks: a visitor, or the owner of a practice that `prepareWorld` made. */
export type Viewer = 'visitor' | 'newcomer' | 'beginner' | 'demo' | 'wordy'

export type Sight = string | RegExp

/** One screen in one state. A page that is only opened takes a line; a state says how a person gets there. */
export type Screen = {
  /** Unique among all screens, in kebab-case; begins with the page. */
  readonly name: string
  readonly path: string | ((world: World) => string)
  /** What is readable once the screen is there; where there are several, all of them. */
  readonly sees: Sight | readonly Sight[]
  /** A visitor unless it says who. */
  readonly as?: Viewer
  /** What a person does after the page has opened. */
  readonly does?: (page: Page, world: World) => Promise<unknown>
  /** What the console says here on purpose, such as the 404 of a page that is not there. */
  readonly complains?: RegExp
  /** Answers the browser gets instead of the product's, for states that a healthy product does not have. */
  readonly answers?: Answers
  /** The screen shows a failure on purpose. */
  readonly fails?: true
  /** The screen shows on purpose that something is on its way. */
  readonly waits?: true
  /** There is no page yet, and so none of its headings. */
  readonly isPageless?: true
  /** Where the browser's clock stands, when that is not London. */
  readonly timeZone?: string
  /** In one of the two widths only. */
  readonly only?: 'phone' | 'desktop'
}

/** The screens of one part of the product, in the order in which a person meets them. */
export type ScreenGroup = { readonly name: string; readonly screens: readonly Screen[] }

/**
 * A screen while it is waited for what it shows, and when that fails. `addresses` are asked for it. Of the phone only, as the
 * wide page says the same with more air around it.
 */
export function awaited(
  { name, ...screen }: Omit<Screen, 'sees'>,
  addresses: readonly string[],
  { loading, failed }: { loading: Screen['sees']; failed: Screen['sees'] },
): Screen[] {
  const answered = (answer: 'never' | 'error') => ({
    ...screen.answers,
    ...Object.fromEntries(addresses.map((path) => [path, answer])),
  })
  const common = { ...screen, only: 'phone' } as const
  return [
    { ...common, name: `${name}-loading`, answers: answered('never'), waits: true, sees: loading },
    { ...FAILING, ...common, name: `${name}-failed`, answers: answered('error'), sees: failed },
  ]
}

/** A server error is shown, and the console says so. */
export const FAILING = { fails: true, complains: /500/ } as const

/** The texts to look for. */
export function sightsOf({ sees }: Screen): readonly Sight[] {
  return typeof sees === 'string' || sees instanceof RegExp ? [sees] : sees
}

/** Whether the screen shows on purpose that something is on its way. */
export function isWaiting({ waits, answers = {} }: Screen): boolean {
  return waits ?? Object.values(answers).includes('never')
}
