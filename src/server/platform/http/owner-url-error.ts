/**
 * - `invalid`: the text is not a URL, or its protocol or port is not allowed.
 * - `private`: the URL's host is not on the public internet.
 * - `unencrypted`: a password would be sent unencrypted.
 * - `too_large`, `too_slow`: the response exceeds the size or time limit.
 * - `unreachable`: no response, or an invalid one.
 */
export type OwnerUrlProblem = 'invalid' | 'private' | 'unencrypted' | 'too_large' | 'too_slow' | 'unreachable'

/** The reason why a URL was not fetched. The message contains neither the URL nor a secret. */
export class OwnerUrlError extends Error {
  readonly problem: OwnerUrlProblem
  constructor(problem: OwnerUrlProblem, options: ErrorOptions = {}) {
    super(MESSAGES[problem], options)
    this.name = 'OwnerUrlError'
    this.problem = problem
  }
}

const MESSAGES: Readonly<Record<OwnerUrlProblem, string>> = {
  invalid: 'This is not an address that can be fetched.',
  private: 'The address is on a private network.',
  unencrypted: 'The address isn’t encrypted, so others could read the password. Please use https.',
  too_large: 'The response is too large.',
  too_slow: 'The server didn’t respond in time.',
  unreachable: 'We couldn’t reach the server.',
}
