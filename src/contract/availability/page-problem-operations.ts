import * as at from '#contract/operations/addresses.ts'
import { defineOperations } from '#contract/operations/operation.ts'
import { pageProblemsResponse } from './page-problems.ts'

/** Operations on problems that keep customers from booking. */
export const pageProblemOperations = defineOperations({
  listPageProblems: {
    address: at.listPageProblems,
    summary: 'Problems that keep customers from booking: those of the last daily check that remain',
    tag: 'Availability',
    forOwners: true,
    answers: { 200: pageProblemsResponse },
    problems: [],
  },
})
