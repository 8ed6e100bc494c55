interface TextProps {
  readonly value: string;
  readonly onInput: (text: string) => void;
  /** Called with the whole text once it is entered. */
  readonly onEntered?: (text: string) => void;
  readonly type?: 'text' | 'search' | 'date' | 'number';
  readonly required?: boolean;
  /** The id of the form that it is part of, if it is outside of it. */
  readonly form?: string;
  readonly min?: number;
  readonly max?: number;
  readonly step?: number;
  readonly lang?: string;
  readonly dir?: 'ltr' | 'rtl';
  /** The id of the texts to choose from. */
  readonly list?: string;
  /** `id` for what is as short as an id. */
  readonly class?: string;
  /** The id of what else there is to know. */
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: true | undefined;
}

export function TextInput({ type = 'text', onInput, onEntered, ...props }: TextProps) {
  type Changed = { readonly currentTarget: HTMLInputElement };
  return (
    <input
      // Preact has an interface for each type.
      type={type as 'text'}
      autocomplete="off"
      onInput={({ currentTarget }: Changed) => onInput(currentTarget.value)}
      onChange={({ currentTarget }: Changed) => onEntered?.(currentTarget.value)}
      {...props}
    />
  );
}

/** A text of several lines. */
export function TextArea({
  onInput,
  ...props
}: Omit<TextProps, 'type' | 'min' | 'max' | 'step' | 'onEntered'>) {
  return <textarea onInput={({ currentTarget }) => onInput(currentTarget.value)} {...props} />;
}
