/**
 * - `invalid`: not an address, or another protocol or port.
 * - `private`: the address is not on the public internet.
 * - `unencrypted`: a password would be sent unencrypted.
 * - `too_large`, `too_slow`: the response exceeds the size or time limit.
 * - `unreachable`: no response, or an invalid one.
 */
export type AddressProblem = 'invalid' | 'private' | 'unencrypted' | 'too_large' | 'too_slow' | 'unreachable'

/** Why an address was not fetched. The message contains neither the address nor a secret. */
export class AddressError extends Error {
  readonly problem: AddressProblem
  constructor(problem: AddressProblem, options: ErrorOptions = {}) {
    super(MESSAGES[problem], options)
    this.name = 'AddressError'
    this.problem = problem
  }
}

const MESSAGES: Readonly<Record<AddressProblem, string>> = {
  invalid: 'This is not an address that can be fetched.',
  private: 'The address leads into a private network.',
  unencrypted: 'The address has no encryption, so the password would be readable on its way. Use https.',
  too_large: 'The answer is too large.',
  too_slow: 'The server did not answer in time.',
  unreachable: 'The server could not be reached.',
}
