import { expect, test } from 'vitest'
import { type CustomerMail, listMailBudgets } from './mail-budgets.ts'

const CONFIRMATION: CustomerMail = {
  causedBy: 'customer',
  isToOwner: false,
  isFirstWord: true,
  isKnown: false,
}
const OF_ALL = ['email_practice', 'email_calendar_recipient', 'email_recipient']

test.each<[string, Partial<CustomerMail>, string[]]>([
  ['the confirmation of a booking by a stranger', {}, [...OF_ALL, 'email_unanswered']],
  ['the same to an address that has answered', { isKnown: true }, OF_ALL],
  ['a later message about it', { isFirstWord: false }, OF_ALL],
  ['a message that the owner caused', { causedBy: 'owner', isFirstWord: false }, ['email_owner', ...OF_ALL]],
  ['a message to the owner’s own address', { isToOwner: true }, ['email_practice']],
  [
    'one that the owner caused to their own address',
    { isToOwner: true, causedBy: 'owner' },
    ['email_owner', 'email_practice'],
  ],
])('%s uses its budgets', (_what, changes, budgets) => {
  expect(listMailBudgets({ ...CONFIRMATION, ...changes })).toEqual(budgets)
})
