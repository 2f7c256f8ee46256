import type { Page } from '@playwright/test'
import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import { expect, test } from '#e2e/support/test.ts'
import { SCREEN_GROUPS } from './all-screens.ts'
import { answerWith } from './answers.ts'
import { isWaiting, type Screen, sightsOf } from './screen.ts'
import { readWorld } from './world.ts'

const FOLDER = 'screenshots'
const THEMES = ['light', 'dark'] as const
/** Axe's name for the rule that a page has a heading of the first level. */
const NEEDS_HEADING = 'page-has-heading-one'
/** The narrowest screen that people use. */
const NARROW_PX = 320

SCREEN_GROUPS.forEach((group, groupIndex) => {
  group.screens.forEach((screen, index) => {
    const number = `${groupIndex + 1}${String(index + 1).padStart(2, '0')}`
    const name = `${number}-${group.name}-${screen.name}`
    const { only, timeZone, complains } = screen

    test.describe(() => {
      if (timeZone !== undefined) test.use({ timezoneId: timeZone })
      test(name, only === undefined ? {} : { tag: `@${only}` }, async ({ page, allowConsole, isMobile }) => {
        if (complains) allowConsole(complains)
        await open(page, screen)
        await expectScreen(page, screen)
        const without = screen.isPageless ? [NEEDS_HEADING] : []
        await takeAll(page, name, isMobile ? () => expectNoAxeFindings(page, without) : async () => {})
      })
    })
  })
})

/** Light, dark and from right to left; `check` is made of the first two. */
async function takeAll(page: Page, name: string, check: () => Promise<void>): Promise<void> {
  const nameOf = (look: string) => `${name}-${page.viewportSize()?.width}-${look}`
  for (const theme of THEMES) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await take(page, nameOf(theme))
    await check()
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await expectNoSidewaysScroll(page)
  await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
  await expectNoSidewaysScroll(page)
  await take(page, nameOf('rtl'))
}

async function open(page: Page, screen: Screen): Promise<void> {
  const world = readWorld()
  const { as = 'visitor', path, does, answers = {} } = screen
  if (as !== 'visitor') await page.context().addCookies([...world.cookies[as]])
  await answerWith(page, answers)
  await page.goto(typeof path === 'string' ? path : path(world))
  await does?.(page, world)
}

/** The screen is there, whole, and shows no failure that it is not to show. */
async function expectScreen(page: Page, screen: Screen): Promise<void> {
  for (const sight of sightsOf(screen)) {
    await expect(page.getByText(sight).filter({ visible: true }).first()).toBeVisible()
  }
  if (!isWaiting(screen))
    await expect(page.getByText(/^Loading\b.*\.\.\.$/).filter({ visible: true })).toHaveCount(0)
  if (!screen.fails) {
    await expect(
      page.getByText(/^(Failed to|Error\b|Something went wrong)/).filter({ visible: true }),
    ).toHaveCount(0)
  }
  await scrollThrough(page)
  await page.evaluate(() => document.fonts.ready)
}

/** As a reader does: what waits until it is in sight is on the picture as well. */
async function scrollThrough(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { scrollHeight } = document.documentElement
    for (let top = 0; top < scrollHeight; top += window.innerHeight) {
      window.scrollTo(0, top)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    window.scrollTo(0, 0)
  })
}

/** The whole page; of an open dialog what a person sees, as it is laid over the page. */
async function take(page: Page, name: string): Promise<void> {
  const hasDialog = (await page.getByRole('dialog').or(page.getByRole('alertdialog')).count()) > 0
  // For a whole page the browser is narrow for a moment, and the grid with what is held gives way to the list of a phone.
  const isHeld = (await page.locator('[data-ghost]').count()) > 0
  const shoot = () =>
    page.screenshot({
      path: `${FOLDER}/${name}.png`,
      fullPage: !hasDialog && !isHeld,
      animations: 'disabled',
    })
  const hasFrame = (await page.locator('iframe').count()) > 0
  await ((hasFrame || isHeld) && !hasDialog ? withAllInSight(page, shoot) : shoot())
}

/** The browser does not draw a frame that is out of sight, nor what a window does not show. */
async function withAllInSight(page: Page, shoot: () => Promise<unknown>): Promise<void> {
  const size = page.viewportSize()
  if (size === null) throw new Error('The screen has no size')
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ ...size, height })
  // The frame is a process of its own, which tells nobody when it has drawn.
  await page.waitForTimeout(300)
  await shoot()
  await page.setViewportSize(size)
}

/** At this width, and on a phone at the narrowest there is. */
async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const size = page.viewportSize()
  const isPhone = size !== null && size.width < 640
  if (isPhone) await page.setViewportSize({ ...size, width: NARROW_PX })
  // Asked until it settles: the browser may still be on its way to the new width.
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  await expect.poll(overflow, 'scrolls sideways').toBeLessThanOrEqual(0)
  if (isPhone) await page.setViewportSize(size)
}
