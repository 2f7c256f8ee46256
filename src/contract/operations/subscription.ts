import { subscriptionResponse } from '#contract/subscription.ts'
import * as at from './addresses.ts'
import { defineOperations } from './operation.ts'

/** The owner's plan. */
export const subscriptionOperations = defineOperations({
  checkSubscription: {
    address: at.checkSubscription,
    summary: 'My plan and what it allows',
    tag: 'Profile and subscription',
    forOwners: true,
    answers: { 200: subscriptionResponse },
    problems: [],
  },
})
