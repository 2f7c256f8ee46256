import { FieldShape, LineShape, Repeated, SwitchShape } from '#web/kit/loading-shape.tsx'

/** The fields of `PersonalInfoForm`. */
export function PersonalInfoPlaceholder() {
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <FieldShape />
      <FieldShape />
      <FieldShape className="sm:col-span-2" />
      <FieldShape />
      <FieldShape />
      <FieldShape className="sm:col-span-2" controlClass="h-24" />
    </div>
  )
}

/** The address that messages go to, and a switch for each of them. */
export function NotificationsPlaceholder({ count }: { count: number }) {
  return (
    <>
      {/* The description, where a card has it. */}
      <div className="-mt-3 mb-4">
        <LineShape className="w-80" />
        <LineShape className="w-36 sm:hidden" />
      </div>
      <div className="divide-y divide-line">
        <Repeated count={count}>
          <div className="py-4 first:pt-0">
            <SwitchShape />
          </div>
        </Repeated>
      </div>
      <div className="border-t border-line pt-4">
        <LineShape size="sm" className="w-full" />
        <LineShape size="sm" className="w-1/2" />
      </div>
    </>
  )
}
