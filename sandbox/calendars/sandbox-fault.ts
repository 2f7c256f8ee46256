import type { SandboxFaults } from './account.ts'

/** A refusal as the API of a provider sends it. */
export class SandboxFault extends Error {
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
    this.name = 'SandboxFault'
    this.status = status
    this.headers = headers
    this.body = body
  }
}

/** How a provider refuses what every stand-in refuses. */
export type ProviderFaults = {
  readonly notFound: () => SandboxFault
  /** The calendar belongs to somebody else. */
  readonly readOnly: () => SandboxFault
  readonly badToken: () => SandboxFault
  readonly invalid: (message: string) => SandboxFault
  /** @throws SandboxFault that the page of the account has switched on */
  readonly failAsSwitched: (faults: SandboxFaults) => void
}

/** The pause that a provider asks for when it says how long. */
export const RETRY_AFTER_SECONDS = 30
