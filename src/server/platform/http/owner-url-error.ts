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
  private: 'The address leads into a private network.',
  unencrypted: 'The address has no encryption, so the password would be readable on its way. Use https.',
  too_large: 'The answer is too large.',
  too_slow: 'The server did not answer in time.',
  unreachable: 'The server could not be reached.',
}
