import { fileBytes, pathBytes, type RemoteDirectory, type RemoteFileEntry } from '@yunxun/contract/remote-terminal';
import { type DragEvent, useEffect, useRef, useState } from 'react';
import { t } from '../../app/i18n.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { bytes, bytesTick, minuteTime } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { download } from '../../ui/table/csv.ts';
import { notify } from '../../ui/toast.tsx';
import { FileFailure, type FilesLink, filesLink } from './files-link.ts';
import './files.css';

interface Transfer {
  way: 'read' | 'write';
  name: string;
  done: number;
  size: number;
}

const cap = () => bytesTick(fileBytes);
const inside = (path: string, name: string) => `${path === '/' ? '' : path}/${name}`;
const above = (path: string) => path.slice(0, Math.max(1, path.lastIndexOf('/')));
const icons = { file: 'file', directory: 'archive', link: 'link', other: 'circle' } as const;

/** Shows the files of the user who has signed in at a terminal. */
export function FilesPanel({ id, target, onClose }: { id: string; target: string; onClose: () => void }) {
  const link = useRef<FilesLink | null>(null);
  const chooser = useRef<HTMLInputElement>(null);
  const [directory, setDirectory] = useState<RemoteDirectory | null>(null);
  const [path, setPath] = useState('');
  const [failure, setFailure] = useState<FileFailure | null>(null);
  const [isListing, setListing] = useState(true);
  const [transfer, setTransfer] = useState<Transfer | null>(null);
  const [isOver, setOver] = useState(false);
  const isBusy = isListing || transfer !== null;

  useEffect(() => {
    const own = filesLink(id);
    link.current = own;
    void own
      .list('')
      .then((listed) => {
        setDirectory(listed);
        setPath(listed.path);
      })
      .catch((error: unknown) => link.current === own && setFailure(failureOf(error)))
      .finally(() => setListing(false));
    return () => {
      link.current = null;
      own.close();
    };
  }, [id]);

  async function go(to: string): Promise<void> {
    setListing(true);
    setFailure(null);
    try {
      const listed = await link.current!.list(to);
      setDirectory(listed);
      setPath(listed.path);
    } catch (error) {
      setFailure(failureOf(error));
    }
    setListing(false);
  }

  /** Returns whether it came to its end. */
  async function move(started: Transfer, work: (link: FilesLink, progress: Progress) => Promise<void>) {
    setFailure(null);
    setTransfer(started);
    try {
      await work(link.current!, (done, size) => setTransfer({ ...started, done, size }));
      return true;
    } catch (error) {
      setFailure(failureOf(error));
      return false;
    } finally {
      setTransfer(null);
    }
  }

  const fetchOne = ({ name, size }: RemoteFileEntry, from: string) =>
    move({ way: 'read', name, done: 0, size }, async (files, progress) => {
      const content = await files.read(inside(from, name), progress);
      download(name, content, 'application/octet-stream');
      notify('ok', t('remote.files_read', { name }));
    });

  async function upload(file: File, to: RemoteDirectory): Promise<boolean> {
    const { name, size } = file;
    if (size > fileBytes) {
      setFailure(new FileFailure('too_large', name));
      return false;
    }
    const started: Transfer = { way: 'write', name, done: 0, size };
    const write = (replace: boolean) =>
      move(started, async (files, progress) => {
        await files.write(inside(to.path, name), file, replace, progress);
        notify('ok', t('remote.files_written', { name }));
      });
    const isThere = to.entries.some((entry) => entry.name === name);
    return isThere ? (await askToReplace(name)) && write(true) : write(false);
  }

  async function uploadAll(files: readonly File[]): Promise<void> {
    if (!directory || isBusy || files.length === 0) return;
    for (const file of files) if (!(await upload(file, directory))) return;
    await go(directory.path);
  }

  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const items = Array.from(event.dataTransfer.items).filter((item) => item.webkitGetAsEntry()?.isFile);
    void uploadAll(items.flatMap((item) => item.getAsFile() ?? []));
  };
  return (
    <aside
      className="files-panel"
      aria-label={t('remote.files_of', { name: target })}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <header className="files-head">
        <h2>{t('remote.files')}</h2>
        <IconButton icon="close" label={t('action.close')} onClick={onClose} />
      </header>
      <form
        className="files-path"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) void go(path);
        }}
      >
        <IconButton
          icon="chevron_up"
          label={t('remote.files_up')}
          disabled={!directory || directory.path === '/' || isBusy}
          onClick={() => directory && void go(above(directory.path))}
        />
        <input
          className="input mono"
          aria-label={t('remote.files_path')}
          value={path}
          maxLength={pathBytes}
          spellCheck={false}
          onChange={(event) => setPath(event.target.value)}
        />
        <IconButton type="submit" icon="refresh" label={t('remote.files_open')} disabled={isBusy} />
      </form>
      {failure && (
        <p className="files-failure" role="alert">
          <Icon name="alert" size={16} />
          <span>{failureText(failure)}</span>
        </p>
      )}
      {transfer && <Moving transfer={transfer} cancel={() => link.current?.cancel()} />}
      <div className="files-list" aria-busy={isListing}>
        {directory && (
          <Listing
            directory={directory}
            isBusy={isBusy}
            enter={(name) => void go(inside(directory.path, name))}
            fetchOne={(entry) => void fetchOne(entry, directory.path)}
          />
        )}
      </div>
      <footer className="files-foot">
        <Button icon="plus" disabled={!directory || isBusy} onClick={() => chooser.current?.click()}>
          {t('remote.files_upload')}
        </Button>
        <input
          ref={chooser}
          type="file"
          hidden
          multiple
          onChange={(event) => {
            const chosen = Array.from(event.target.files ?? []);
            event.target.value = '';
            void uploadAll(chosen);
          }}
        />
        <span className="small dim">{t('remote.files_hint', { size: cap() })}</span>
      </footer>
    </aside>
  );
}

type Progress = (done: number, size: number) => void;

function Moving({ transfer: { way, name, done, size }, cancel }: { transfer: Transfer; cancel: () => void }) {
  const label = t(way === 'read' ? 'remote.files_reading' : 'remote.files_writing', { name });
  return (
    <div className="files-moving">
      <span className="ellipsis">{label}</span>
      <progress aria-label={label} value={Math.max(0, done)} max={Math.max(1, size)} />
      <span className="small dim">
        {t('remote.files_progress', { done: bytes(Math.max(0, done)), size: bytes(size) })}
      </span>
      <Button onClick={cancel}>{t('action.cancel')}</Button>
    </div>
  );
}

interface ListingProps {
  directory: RemoteDirectory;
  isBusy: boolean;
  enter: (name: string) => void;
  fetchOne: (entry: RemoteFileEntry) => void;
}

const isDirectory = ({ type }: RemoteFileEntry) => type === 'directory';

function Listing({ directory: { entries, more }, isBusy, enter, fetchOne }: ListingProps) {
  const sorted = entries.toSorted(
    (a, b) => Number(isDirectory(b)) - Number(isDirectory(a)) || a.name.localeCompare(b.name),
  );
  if (entries.length === 0) return <p className="dim files-empty">{t('remote.files_empty')}</p>;
  return (
    <>
      <table className="files-table">
        <thead>
          <tr>
            <th scope="col">{t('remote.files_name')}</th>
            <th scope="col">{t('remote.files_size')}</th>
            <th scope="col" className="files-time">
              {t('remote.files_modified')}
            </th>
            <th>
              <span className="sr">{t('remote.files_download')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {sorted.map((entry) => {
            const { name, type, size, modified } = entry;
            const opens = type === 'directory' || type === 'link';
            return (
              <tr key={name}>
                <th scope="row" title={name}>
                  <Icon name={icons[type]} size={16} />
                  {opens ? (
                    <Button kind="link" className="ellipsis" disabled={isBusy} onClick={() => enter(name)}>
                      {name}
                    </Button>
                  ) : (
                    <span className="ellipsis">{name}</span>
                  )}
                </th>
                <td>{type === 'directory' ? '' : bytes(size)}</td>
                <td className="files-time dim">{modified === 0 ? '' : minuteTime(new Date(modified * 1000))}</td>
                <td>
                  {(type === 'file' || type === 'link') && (
                    <IconButton
                      icon="download"
                      label={t('remote.files_download_one', { name })}
                      why={size > fileBytes ? t('remote.files_reason_too_large', { size: cap() }) : undefined}
                      disabled={isBusy}
                      onClick={() => fetchOne(entry)}
                    />
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {more && <p className="small dim files-empty">{t('remote.files_more', { n: entries.length })}</p>}
    </>
  );
}

const failureOf = (error: unknown) => (error instanceof FileFailure ? error : new FileFailure('failed'));

function failureText({ reason, detail }: FileFailure): string {
  const text = t(`remote.files_reason_${reason}`, { size: cap() });
  return detail === null ? text : t('remote.end_detail', { text, detail });
}

function askToReplace(name: string): Promise<boolean> {
  return new Promise((resolve) =>
    ask({
      title: t('remote.files_replace_title', { name }),
      body: t('remote.files_replace_body'),
      confirm: t('remote.files_replace'),
      danger: true,
      cancel: { label: t('action.cancel'), act: () => resolve(false) },
      act: async () => resolve(true),
    }),
  );
}
