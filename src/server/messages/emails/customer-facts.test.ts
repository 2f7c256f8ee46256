import { expect, test } from 'vitest'
import { makeAppointmentMailContent } from '#tests/support/appointment-mail-facts.ts'
import { withManageLink } from './customer-facts.ts'

const LINK = { token: 'signed', isReplaced: false }

test('who may cancel without asking cancels on their page, and everybody else asks with the bare id', () => {
  const facts = makeAppointmentMailContent()
  expect(withManageLink(facts, LINK).cancelUrl).toBe(facts.cancelUrl)
  const alone = withManageLink({ ...facts, cancelsAlone: true }, LINK)
  expect(alone.cancelUrl).toBe(alone.manageUrl)
  expect(alone.manageUrl).toContain('/manage/')
})

test('once a link was replaced, the bare id opens nothing, so everybody cancels on their page', () => {
  const replaced = withManageLink(makeAppointmentMailContent(), { ...LINK, isReplaced: true })
  expect(replaced.cancelUrl).toBe(replaced.manageUrl)
})
