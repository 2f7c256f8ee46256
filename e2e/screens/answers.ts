import type { Page, Route } from '@playwright/test'
import { PROBLEMS, type ProblemCode } from '#contract/problem.ts'

/**
 * What the browser gets instead of the product's answer: none at all, an error page as of a proxy, a refusal of the product,
 * a body, or what a function makes of the body that the product has answered with.
 */
export type Answer = 'never' | 'error' | ProblemCode | { readonly json: unknown } | ((body: never) => unknown)

/** By address, as Playwright's patterns have it; with the method before it where only that one is meant: `PATCH` and a blank. */
export type Answers = Readonly<Record<string, Answer>>

/** Lets the page's browser get these answers from now on. */
export async function answerWith(page: Page, answers: Answers): Promise<void> {
  for (const [key, answer] of Object.entries(answers)) {
    const [address = '', method] = key.split(' ').reverse()
    await page.route(address, (route) =>
      method === undefined || route.request().method() === method ? give(route, answer) : route.fallback(),
    )
  }
}

async function give(route: Route, answer: Answer): Promise<void> {
  if (answer === 'never') return
  if (answer === 'error') return route.fulfill({ status: 500, body: 'broken' })
  if (typeof answer === 'string') return route.fulfill(refusalOf(answer))
  if (typeof answer === 'object') return route.fulfill(answer)
  const body: unknown = await (await route.fetch()).json()
  // Each function is written for what the product answers at its address.
  return route.fulfill({ json: answer(body as never) })
}

function refusalOf(code: ProblemCode) {
  const { status, title } = PROBLEMS[code]
  return {
    status,
    json: { type: 'about:blank', title, status, code },
    contentType: 'application/problem+json',
  }
}
