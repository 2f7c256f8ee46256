/** Tells the part of the page that is there in a frame of another site, which passes it on. Source: rule W21. */
export function tellBooked(): void {
  dispatchEvent(new Event('meridian:booked'))
}
