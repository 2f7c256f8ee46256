import * as at from '#contract/operations/addresses.ts'
import { defineOperations } from '#contract/operations/operation.ts'
import { pageProblemsResponse } from './page-problems.ts'

/** Operations on what keeps customers from booking. */
export const pageProblemOperations = defineOperations({
  listPageProblems: {
    address: at.listPageProblems,
    summary: 'What keeps customers from booking, as the daily check found it and as it still is',
    tag: 'Availability',
    forOwners: true,
    answers: { 200: pageProblemsResponse },
    problems: [],
  },
})
