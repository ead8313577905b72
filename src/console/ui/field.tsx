import type { ComponentChildren, JSX, LooseInputHTMLAttributes, Ref } from "preact";
import { useId } from "preact/hooks";

export interface FieldProps {
  label: string;
  hint?: ComponentChildren;
  error?: string | null;
  /** Gets the ids that its control has to carry. */
  children: (control: { id: string; "aria-describedby": string | undefined; "aria-invalid": boolean }) => ComponentChildren;
}

/** A control with its label above it, and a hint or what is wrong with it below. */
export function Field({ label, hint, error = null, children }: FieldProps) {
  const id = useId();
  const note = error ?? hint;
  const noteId = `${id}-note`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, "aria-describedby": note === undefined ? undefined : noteId, "aria-invalid": error !== null })}
      {note !== undefined && (
        <p id={noteId} class={error === null ? "hint" : "hint wrong"}>
          {note}
        </p>
      )}
    </div>
  );
}

type InputProps = LooseInputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> };

export function TextInput(props: InputProps) {
  return <input type="text" class="input" {...(props as object)} />;
}

/** A choice of one. `options`: value and what is shown. */
export function Select({ options, ...rest }: JSX.IntrinsicElements["select"] & { options: readonly (readonly [string, string])[] }) {
  return (
    <select class="input" {...rest}>
      {options.map(([value, shown]) => (
        <option key={value} value={value}>
          {shown}
        </option>
      ))}
    </select>
  );
}

export function Checkbox({ label, ...rest }: InputProps & { label: ComponentChildren }) {
  return (
    <label class="checkbox">
      <input type="checkbox" {...(rest as object)} />
      <span>{label}</span>
    </label>
  );
}
