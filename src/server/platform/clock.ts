/** Returns the current time in epoch milliseconds. Injected everywhere, so that tests control time. */
export type Clock = () => number

export const systemClock: Clock = () => Date.now()
