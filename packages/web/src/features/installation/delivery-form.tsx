import type { ReactNode, Ref } from 'react';
import { t } from '../../app/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Card } from '../../ui/page.tsx';
import { TestSend } from './test-send.tsx';

export function DeliveryForm<P extends string>(props: {
  title: string;
  provider: P;
  providers: readonly { value: P; label: string }[];
  onProvider: (provider: P) => void;
  hint: string | undefined;
  fields: Ref<HTMLDivElement>;
  children: ReactNode;
  save: () => unknown;
  busy: boolean;
  dirty: boolean;
  test: Omit<Parameters<typeof TestSend>[0], 'dirty'>;
}) {
  return (
    <Card title={props.title}>
      <Form className="install-form" send={props.save}>
        <div className="install-fields" ref={props.fields}>
          <SelectField
            label={t('install.provider')}
            value={props.provider}
            options={props.providers}
            onChange={props.onProvider}
            hint={props.hint}
          />
          {props.children}
        </div>
        <div className="row">
          <Button
            kind="primary"
            type="submit"
            busy={props.busy}
            why={props.dirty ? undefined : t('install.nothing_changed')}
          >
            {t('action.save')}
          </Button>
        </div>
      </Form>
      <TestSend {...props.test} dirty={props.dirty} />
    </Card>
  );
}
