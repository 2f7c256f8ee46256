import type { SandboxFaults } from './account.ts'

/** An error response in the format of a provider's API. */
export class SandboxErrorResponse extends Error {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
  constructor(
    message: string,
    {
      status,
      body,
      headers = {},
    }: {
      readonly status: number
      readonly body: object
      readonly headers?: Readonly<Record<string, string>>
    },
  ) {
    super(message)
    this.name = 'SandboxErrorResponse'
    this.status = status
    this.headers = headers
    this.body = body
  }
}

/** Creates the errors that all sandboxes send, in a provider's format. */
export type ProviderErrors = {
  readonly notFound: () => SandboxErrorResponse
  /** The error for a write to a calendar that belongs to somebody else. */
  readonly readOnly: () => SandboxErrorResponse
  readonly badToken: () => SandboxErrorResponse
  readonly invalid: (message: string) => SandboxErrorResponse
  /** @throws SandboxErrorResponse when a failure is switched on for the account */
  readonly failIfSwitchedOn: (faults: SandboxFaults) => void
}

/** The value of the Retry-After header, in seconds. */
export const RETRY_AFTER_SECONDS = 30
