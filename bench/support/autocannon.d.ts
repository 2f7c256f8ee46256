/** What is used of autocannon, which brings no types. */
declare module 'autocannon' {
  type Request = {
    readonly method?: string
    readonly path?: string
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: string
    readonly setupRequest?: (request: Request) => Request
  }
  type Result = {
    /** In seconds. */
    readonly duration: number
    readonly '2xx': number
    readonly non2xx: number
    readonly errors: number
    readonly timeouts: number
  }
  function autocannon(options: {
    readonly url: string
    readonly connections: number
    /** In seconds. */
    readonly duration: number
    readonly requests: readonly Request[]
  }): Promise<Result>
  export = autocannon
}
