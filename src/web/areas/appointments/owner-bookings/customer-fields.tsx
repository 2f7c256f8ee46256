import { useQuery } from '@tanstack/react-query'
import { Controller, type UseFormReturn } from 'react-hook-form'
import type { CustomerMatch } from '#contract/appointments/owner-booking.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { useDebounced } from '#web/kit/use-debounced.ts'
import { TextField } from '#web/ui/field.tsx'
import { SuggestField } from '#web/ui/suggest-field.tsx'
import type { NewAppointmentForm } from './new-appointment-form.ts'
import { customerSearchQuery } from './owner-booking-queries.ts'

type CustomerFieldsProps = { calendarId: string; form: UseFormReturn<NewAppointmentForm> }

/** Lets the owner choose an existing customer, found by name, email or phone, or enter a new one. */
export function CustomerFields({ calendarId, form }: CustomerFieldsProps) {
  const { control, register, setValue, formState } = form
  const { errors } = formState
  const search = useDebounced(form.watch('name').trim())
  const { data: customers = [] } = useQuery({
    ...customerSearchQuery(calendarId, search),
    enabled: search !== '' && search.length <= LIMITS.customerSearch,
    // Show the previous list while the next one loads, so that the list does not flicker.
    placeholderData: (shown) => shown,
  })
  const suggestions =
    search === ''
      ? []
      : customers.map((customer) => ({
          ...customer,
          label: customer.name,
          note: <Contacts email={customer.email} phone={customer.phone} />,
        }))
  return (
    <>
      <Controller
        control={control}
        name="name"
        render={({ field }) => (
          <SuggestField
            label="Customer"
            required
            hint="Search by name, email or phone number, or enter a new customer’s name."
            error={errors.name?.message}
            value={field.value}
            onChange={field.onChange}
            onBlur={field.onBlur}
            inputRef={field.ref}
            maxLength={LIMITS.personName}
            suggestions={suggestions}
            onPick={({ name, email, phone }) => {
              setValue('name', name, { shouldValidate: formState.isSubmitted })
              setValue('email', email ?? '', { shouldValidate: formState.isSubmitted })
              setValue('phone', phone ?? '', { shouldValidate: formState.isSubmitted })
            }}
          />
        )}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label="Email"
          type="email"
          autoComplete="off"
          maxLength={LIMITS.email}
          error={errors.email?.message}
          {...register('email')}
        />
        <TextField
          label="Phone"
          type="tel"
          autoComplete="off"
          maxLength={LIMITS.phone}
          error={errors.phone?.message}
          {...register('phone')}
        />
      </div>
    </>
  )
}

/** Shows the email address and phone number, which distinguish people with the same name. A phone number does not wrap. */
function Contacts({ email, phone }: Pick<CustomerMatch, 'email' | 'phone'>) {
  if (email === null && phone === null) return 'No email, no phone'
  return (
    <span className="flex flex-wrap gap-x-3">
      {email !== null && <span>{email}</span>}
      {phone !== null && <span className="whitespace-nowrap">{phone}</span>}
    </span>
  )
}
