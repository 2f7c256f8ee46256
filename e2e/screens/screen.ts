import type { Page } from '@playwright/test'
import type { World } from './world.ts'

/** Who looks: a visitor, or the owner of a practice that `prepareWorld` made. */
export type Viewer = 'visitor' | 'newcomer' | 'beginner' | 'demo' | 'wordy'

/** One screen in one state. A page that is only opened takes a line; a state says how a person gets there. */
export type Screen = {
  /** Unique among all screens, in kebab-case; begins with the page. */
  readonly name: string
  readonly path: string | ((world: World) => string)
  /** What is readable once the screen is there. */
  readonly sees: string | RegExp
  /** A visitor unless it says who. */
  readonly as?: Viewer
  /** What a person does after the page has opened. */
  readonly does?: (page: Page, world: World) => Promise<unknown>
  /** What the console says here on purpose, such as the 404 of a page that is not there. */
  readonly complains?: RegExp
  /** Answers the browser gets instead of the product's, for states that a healthy product does not have. */
  readonly answers?: Readonly<Record<string, 'never' | 'error'>>
  /** The screen shows a failure on purpose. */
  readonly fails?: true
  /** The screen shows on purpose that something is on its way. */
  readonly waits?: true
  /** In one of the two widths only. */
  readonly only?: 'phone' | 'desktop'
}

/** The screens of one part of the product, in the order in which a person meets them. */
export type ScreenGroup = { readonly name: string; readonly screens: readonly Screen[] }
