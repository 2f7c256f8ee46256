import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Fails when axe objects to anything on the page as it is now, by WCAG 2.2 AA or its best practices; but for the rules `without`. */
export async function expectNoAxeFindings(page: Page, without: string[] = []): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    // Only findings are wanted whole, not what passed.
    .options({ resultTypes: ['violations'] })
    // Everything is read in the page itself, frames of our own too. Otherwise each reading opens a second page, which takes twice
    // the processor time. Only frames of other sites would be left out, and the pages have none.
    .setLegacyMode()
    .withTags(STANDARDS)
    .disableRules(without)
    // Empty elements at both ends of a menu that pass the focus on and never keep it.
    .exclude('[data-base-ui-focus-guard]')
    // A mail in a frame without scripts, where axe cannot run.
    .exclude('iframe[sandbox]')
    // The booking page beside the form of a look: a document with landmarks of its own, which is read by itself.
    .exclude('iframe[src*="?preview"]')
    .analyze()
  const findings = violations.flatMap(({ id, impact, help, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) =>
        `${id} (${impact}): ${help}\n  ${target.join(' ')}\n  ${failureSummary}`,
    ),
  )
  expect(findings).toEqual([])
}
