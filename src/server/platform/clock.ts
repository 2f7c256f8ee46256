/** The present as epoch milliseconds. It is an argument everywhere, so that tests decide the time. */
export type Clock = () => number

export const systemClock: Clock = () => Date.now()
