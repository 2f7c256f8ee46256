import { ThemeToggle } from '#web/shared/theme-toggle.tsx'

/** The theme button with its name. A press on the name presses the button. */
export function ThemeRow({ isIcon = false }: { isIcon?: boolean }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the label contains the button
    <label className="flex items-center rounded-control text-[0.9375rem] font-medium text-ink-soft hover:bg-sunken hover:text-ink">
      <ThemeToggle />
      {!isIcon && <span aria-hidden="true">Theme</span>}
    </label>
  )
}
