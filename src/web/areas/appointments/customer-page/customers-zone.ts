type Appointment = { readonly customer_time_zone: string | null; readonly time_zone: string }

/** On whose clock a customer reads an appointment: their own where it is known, else that of the calendar. Source: rule T22. */
export function customersZone({ customer_time_zone, time_zone }: Appointment): string {
  return customer_time_zone ?? time_zone
}
