/** The part of autocannon's API that is used here; the package has no types. */
declare module 'autocannon' {
  type Request = {
    readonly method?: string
    readonly path?: string
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: string
    readonly setupRequest?: (request: Request) => Request
  }
  type Result = {
    /** Duration of the run, in seconds. */
    readonly duration: number
    readonly '2xx': number
    readonly non2xx: number
    readonly errors: number
    readonly timeouts: number
  }
  function autocannon(options: {
    readonly url: string
    readonly connections: number
    /** Duration of the run, in seconds. */
    readonly duration: number
    readonly requests: readonly Request[]
  }): Promise<Result>
  export = autocannon
}
