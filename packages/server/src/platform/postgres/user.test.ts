import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isRoot } from './testing/sandbox.ts';
import { addSystemUser, chooseUser, type UserSource, userOfOwner } from './user.ts';

const root = 'root:x:0:0:root:/root:/bin/bash\n';
const nobody = 'nobody:x:65534:65533:nobody:/nonexistent:/usr/sbin/nologin\n';
const postgres = 'postgres:x:101:104::/var/lib/postgresql:/bin/bash\n';

function machine(passwd: string, changes: Partial<UserSource> = {}): UserSource {
  return {
    uid: 0,
    gid: 0,
    ownName: () => 'root',
    passwd: () => passwd,
    addUser() {
      throw new Error('useradd: not found');
    },
    ...changes,
  };
}

describe('root runs the server as', () => {
  test('postgres, where there is one', () => {
    expect(chooseUser(machine(root + nobody + postgres))).toEqual({
      uid: 101,
      gid: 104,
      name: 'postgres',
      switched: true,
    });
  });

  test('our own user, where it was made before', () => {
    const own = 'yunxun:x:998:997::/nonexistent:/usr/sbin/nologin\n';
    expect(chooseUser(machine(root + nobody + own)).name).toBe('yunxun');
  });

  test('our own user, made where that is possible', () => {
    let passwd = root + nobody;
    const source = machine('', {
      passwd: () => passwd,
      addUser: (name) => {
        passwd += `${name}:x:998:997::/nonexistent:/usr/sbin/nologin\n`;
      },
    });
    expect(chooseUser(source)).toEqual({ uid: 998, gid: 997, name: 'yunxun', switched: true });
  });

  test('the user `nobody`, where no user can be created', () => {
    expect(chooseUser(machine(root + nobody))).toEqual({ uid: 65534, gid: 65533, name: 'nobody', switched: true });
  });

  test('no one, where the system has no other user; and says the way out', () => {
    expect(() => chooseUser(machine(root))).toThrow(/Make a user named yunxun.*YUNXUN_DATABASE_URL/);
    const unreadable = machine('', {
      passwd() {
        throw new Error('ENOENT');
      },
    });
    expect(() => chooseUser(unreadable)).toThrow(/YUNXUN_DATABASE_URL/);
  });
});

test('an ordinary user runs it himself', () => {
  const source = machine(root + nobody + postgres, { uid: 1000, gid: 1001, ownName: () => 'li' });
  expect(chooseUser(source)).toEqual({ uid: 1000, gid: 1001, name: 'li', switched: false });
});

test('a user without a name gets instructions', () => {
  const source = machine(root, {
    uid: 1234,
    gid: 5678,
    ownName() {
      throw new Error('ENOENT');
    },
  });
  expect(() => chooseUser(source)).toThrow(
    /user id 1234 has no entry in \/etc\/passwd.*yunxun:x:1234:5678.*YUNXUN_DATABASE_URL/,
  );
});

test('an existing cluster keeps its owner, also one without a name', () => {
  expect(userOfOwner(machine(root + postgres), 101, 104)).toMatchObject({ name: 'postgres', switched: true });
  expect(userOfOwner(machine(root), 4321, 4321)).toMatchObject({ name: '4321', switched: true });
  expect(userOfOwner(machine(root, { uid: 1000 }), 1000, 1000).switched).toBe(false);
});

test.skipIf(!isRoot)(`a system user is made on this machine${isRoot ? '' : ' (skipped: needs root)'}`, () => {
  const name = `yunxuntest${process.pid}`;
  onTestFinished(() => {
    execFileSync('userdel', [name], { stdio: 'pipe' });
  });
  addSystemUser(name);
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`))!;
  expect(line).toMatch(/:\/nonexistent:\/usr\/sbin\/nologin$/);
  expect(Number(line.split(':')[2])).toBeLessThan(1000);
});
