/** What follows a booking. It is downloaded once a time is chosen, so that it is there by then. */
export function loadConfirmation() {
  return import('./confirmed-booking.tsx').then((part) => part.ConfirmedBooking)
}
