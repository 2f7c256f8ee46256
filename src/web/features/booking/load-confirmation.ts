/** What follows a booking. It is downloaded once a time is chosen, so that it is there by then. */
export async function loadConfirmation() {
  return (await import('./confirmed-booking.tsx')).ConfirmedBooking
}
