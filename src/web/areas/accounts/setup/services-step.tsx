import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFieldArray, useForm } from 'react-hook-form'
import { z } from 'zod'
import { SETUP_SERVICES_MAX, setupServiceBody } from '#contract/accounts/setup.ts'
import type { AppointmentType } from '#contract/availability/appointment-types.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { suggestServices } from '#core/availability/suggested-services.ts'
import { appointmentTypesQuery } from '#web/kit/appointment-types-query.ts'
import { schemaResolver } from '#web/kit/contract-resolver.ts'
import { DeleteButton } from '#web/kit/item-buttons.tsx'
import { LoadStatus } from '#web/kit/load-status.tsx'
import { showProblem, toProblem } from '#web/kit/show-problem.ts'
import { typedPriceSchema } from '#web/kit/typed-price.ts'
import { toPriceText } from '#web/shared/format-money.ts'
import { paths } from '#web/shared/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { TextField } from '#web/ui/field.tsx'
import { Plus } from '#web/ui/icons/plus.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useChangeSetup } from './setup-query.ts'
import { SetupStepFrame } from './setup-step.tsx'
import { SimpleStep } from './simple-step.tsx'

type ServicesStepProps = { calendar: Calendar; onDone: () => void }

const HEAD = {
  title: 'Services',
  description: 'What customers can book, and how long each takes. You can change them later.',
}

/** The third step: the services that customers can book. Source: rule U33. */
export function ServicesStep(props: ServicesStepProps) {
  const query = useQuery(appointmentTypesQuery(props.calendar.id))
  const { data } = query
  if (data === undefined) {
    return (
      <LoadStatus
        query={query}
        loading="Loading appointment types..."
        failed="Failed to load appointment types"
      >
        <Skeleton className="h-64" />
      </LoadStatus>
    )
  }
  const { appointment_types: types, stripe_connected, paypal_connected } = data
  return <LoadedServices {...props} types={types} canCharge={stripe_connected || paypal_connected} />
}

type LoadedServicesProps = ServicesStepProps & { types: AppointmentType[]; canCharge: boolean }

/** Shows the form or the list. The form stays when another tab creates services, so that typed services are kept. */
function LoadedServices({ types, canCharge, ...props }: LoadedServicesProps) {
  const [isNew] = useState(types.length === 0)
  if (isNew) return <NewServices {...props} canCharge={canCharge} />
  return <ExistingServices {...props} types={types} />
}

/** Lists the services that exist already, and leads to the settings where they are changed. */
function ExistingServices({ calendar, types, ...step }: ServicesStepProps & { types: AppointmentType[] }) {
  return (
    <SimpleStep {...HEAD} {...step} step="services">
      <ul className="divide-y divide-line rounded-card border border-line bg-surface">
        {types.map(({ id, name, duration, price, fee_note }) => (
          <li key={id} className="flex flex-wrap justify-between gap-x-4 gap-y-1 px-4 py-3">
            <span className="min-w-0 font-semibold wrap-anywhere">{name}</span>
            <span className="min-w-0 text-ink-soft wrap-anywhere">
              {[`${duration} min`, toPriceText(price, fee_note)].filter(Boolean).join(' · ')}
            </span>
          </li>
        ))}
      </ul>
      <p>
        <a
          href={paths.calendarSettings(calendar.id, 'types')}
          className="inline-flex min-h-11 items-center font-semibold text-link underline underline-offset-4"
        >
          Change them in the settings
        </a>
      </p>
    </SimpleStep>
  )
}

const servicesForm = z.object({
  services: z.array(setupServiceBody.extend({ price: typedPriceSchema })),
})

/** Lets the owner edit the suggested services, and creates them all at once. */
function NewServices({ calendar, canCharge, onDone }: ServicesStepProps & { canCharge: boolean }) {
  const { mutateAsync, isPending } = useChangeSetup()
  const { register, control, handleSubmit, setError, formState } = useForm({
    resolver: schemaResolver(servicesForm),
    defaultValues: {
      services: suggestServices(calendar.category).map(({ name, durationMinutes }) => ({
        name,
        duration: durationMinutes,
        price: '',
        fee_note: '',
      })),
    },
  })
  const { fields, append, remove } = useFieldArray({ control, name: 'services' })
  const { errors } = formState

  const send = async (body: Parameters<typeof mutateAsync>[0]) => {
    try {
      await mutateAsync(body)
      onDone()
    } catch (error) {
      showProblem(toProblem(error), setError, [])
    }
  }
  const skip = () => send({ steps: { services: 'skipped' } })
  const create = handleSubmit(({ services }) => (services.length === 0 ? skip() : send({ services })))

  return (
    <SetupStepFrame
      {...HEAD}
      submitLabel={fields.length === 0 ? 'Continue without services' : 'Continue'}
      onSubmit={create}
      onSkip={() => void skip()}
      pending={isPending}
      problem={errors.root?.message}
      fields={
        <div className="flex flex-col gap-4">
          <ul className="flex flex-col gap-4">
            {fields.map(({ id }, index) => {
              const problems = errors.services?.[index]
              return (
                <li
                  key={id}
                  className="flex flex-wrap items-start gap-3 rounded-card border border-line bg-surface p-4"
                >
                  <TextField
                    label="Service"
                    className="w-full @xl:w-auto @xl:min-w-40 @xl:flex-1"
                    maxLength={LIMITS.typeName}
                    error={problems?.name?.message}
                    {...register(`services.${index}.name`)}
                  />
                  <TextField
                    label="Minutes"
                    type="number"
                    inputMode="numeric"
                    min={LIMITS.typeDurationMin}
                    max={LIMITS.typeDurationMax}
                    className="w-28 max-[17rem]:w-full"
                    error={problems?.duration?.message}
                    {...register(`services.${index}.duration`, { valueAsNumber: true })}
                  />
                  {canCharge && (
                    <TextField
                      label="Price (€)"
                      inputMode="decimal"
                      autoComplete="off"
                      className="w-28 max-[17rem]:w-full"
                      error={problems?.price?.message}
                      {...register(`services.${index}.price`)}
                    />
                  )}
                  <div
                    className={classNames(
                      'flex items-start gap-3',
                      canCharge ? 'ms-auto' : 'w-full @3xl:w-auto @3xl:min-w-0 @3xl:flex-1',
                    )}
                  >
                    {!canCharge && (
                      <TextField
                        label="Fee note"
                        className="min-w-0 flex-1"
                        maxLength={LIMITS.feeNote}
                        placeholder="€90, paid at the appointment"
                        autoComplete="off"
                        error={problems?.fee_note?.message}
                        {...register(`services.${index}.fee_note`)}
                      />
                    )}
                    <div className="mt-6.5 flex min-h-11 items-center">
                      <DeleteButton label={`Remove service ${index + 1}`} onPress={() => remove(index)} />
                    </div>
                  </div>
                </li>
              )
            })}
          </ul>
          {fields.length < SETUP_SERVICES_MAX && (
            <Button
              className="self-start"
              onClick={() => append({ name: '', duration: 60, price: '', fee_note: '' })}
            >
              <Plus aria-hidden="true" className="size-5" />
              Add a service
            </Button>
          )}
          {!canCharge && (
            <p className="text-sm text-ink-soft">
              Connect Stripe or PayPal in{' '}
              <a
                href={paths.calendarSettings(calendar.id, 'payments')}
                // In a new tab, so that the typed services stay.
                target="_blank"
                rel="noopener"
                className="rounded-sm text-link underline underline-offset-4"
              >
                Payment Settings
              </a>{' '}
              to set prices. Without a price, customers read the fee note in its place.
            </p>
          )}
        </div>
      }
    />
  )
}
