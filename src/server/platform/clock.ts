/**
 * Returns the current time in epoch milliseconds. It is passed in as a dependency everywhere, so that tests control the
 * time.
 */
export type Clock = () => number

export const systemClock: Clock = () => Date.now()
