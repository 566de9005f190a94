"""A seccomp program against the system calls that reach out of the other limits.

Namespaces and resource limits close in what a process may see and take, all but a few
ways: memory that no limit counts (memfd, System V segments), the sockets of networks,
further namespaces, and large parts of the kernel that no notebook needs. Those calls fail
here, as if the kernel had not got them.

Source: linux/filter.h, linux/seccomp.h and the kernel's tables of system calls.
"""

from __future__ import annotations

import errno
import struct

# By machine: its audit number, and the numbers of its system calls.
_ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_EVERYWHERE = {
    "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "open_tree": 428,
    "move_mount": 429, "fsopen": 430, "fsconfig": 431, "fsmount": 432, "fspick": 433,
    "pidfd_getfd": 438, "mount_setattr": 442, "memfd_secret": 447,
}  # fmt: skip
_FORBIDDEN = {
    "x86_64": {
        "shmget": 29, "semget": 64, "msgget": 68, "ptrace": 101, "pivot_root": 155,
        "chroot": 161, "mount": 165, "umount2": 166, "mq_open": 240, "add_key": 248,
        "request_key": 249, "keyctl": 250, "unshare": 272, "perf_event_open": 298,
        "name_to_handle_at": 303, "open_by_handle_at": 304, "setns": 308,
        "process_vm_readv": 310, "process_vm_writev": 311, "kcmp": 312,
        "memfd_create": 319, "bpf": 321, "userfaultfd": 323,
    },
    "aarch64": {
        "umount2": 39, "mount": 40, "pivot_root": 41, "chroot": 51, "unshare": 97,
        "ptrace": 117, "mq_open": 180, "msgget": 186, "semget": 190, "shmget": 194,
        "add_key": 217, "request_key": 218, "keyctl": 219, "perf_event_open": 241,
        "name_to_handle_at": 264, "open_by_handle_at": 265, "setns": 268,
        "process_vm_readv": 270, "process_vm_writev": 271, "kcmp": 272,
        "memfd_create": 279, "bpf": 280, "userfaultfd": 282,
    },
}  # fmt: skip
_CLONE = {"x86_64": 56, "aarch64": 220}
_SOCKET = {"x86_64": 41, "aarch64": 198}
_SOCKET_PAIR = {"x86_64": 53, "aarch64": 199}
_SET_OPTION = {"x86_64": 54, "aarch64": 208}
# What is sent and not yet received is memory that is nobody's: the watch counts sockets,
# none of which may hold more than the usual.
_BUFFER_SIZES = (7, 32)  # SO_SNDBUF, SO_SNDBUFFORCE
_CLONE3 = 435
MACHINES = tuple(_ARCHITECTURE)
# CLONE_NEWTIME is no flag of clone.
_NEW_NAMESPACES = 0x7E020000
# All others are the network's. There is none, but what is left of a connection to oneself
# stays to be seen by the next guest, and its buffers are memory that no limit counts.
_AF_UNIX = 1
_X32 = 0x40000000

# Offsets in struct seccomp_data; the low halves of arguments, on these machines.
_NUMBER, _MACHINE, _ARGUMENT, _THIRD_ARGUMENT = 0, 4, 16, 32
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _FAIL, _KILL = 0x7FFF0000, 0x00050000, 0x80000000


def program(machine: str) -> bytes:
    """Return the program for a machine, as ``os.uname().machine`` calls it.

    Raises:
        KeyError: no program is known for it.
    """
    rules = [
        _instruction(_LOAD, _MACHINE),
        _instruction(_EQUAL, _ARCHITECTURE[machine], 1, 0),
        _instruction(_RETURN, _KILL),
        _instruction(_LOAD, _NUMBER),
    ]
    if machine == "x86_64":
        rules += [_instruction(_AT_LEAST, _X32, 0, 1), _fails(errno.ENOSYS)]
    for number in sorted((_FORBIDDEN[machine] | _EVERYWHERE).values()):
        rules += [_instruction(_EQUAL, number, 0, 1), _fails(errno.EPERM)]
    # Its flags lie in memory, where no filter sees them. The C library falls back to clone.
    rules += [_instruction(_EQUAL, _CLONE3, 0, 1), _fails(errno.ENOSYS)]
    rules += [
        _instruction(_EQUAL, _CLONE[machine], 0, 4),
        _instruction(_LOAD, _ARGUMENT),
        _instruction(_ANY_BIT, _NEW_NAMESPACES, 0, 1),
        _fails(errno.EPERM),
        _instruction(_RETURN, _ALLOW),
        _instruction(_EQUAL, _SET_OPTION[machine], 0, 5),
        _instruction(_LOAD, _THIRD_ARGUMENT),
        _instruction(_EQUAL, _BUFFER_SIZES[0], 1, 0),
        _instruction(_EQUAL, _BUFFER_SIZES[1], 0, 1),
        _fails(errno.EPERM),
        _instruction(_RETURN, _ALLOW),
    ]
    rules += [
        _instruction(_EQUAL, _SOCKET[machine], 1, 0),
        _instruction(_EQUAL, _SOCKET_PAIR[machine], 0, 3),
        _instruction(_LOAD, _ARGUMENT),
        _instruction(_EQUAL, _AF_UNIX, 1, 0),
        _fails(errno.EAFNOSUPPORT),
        _instruction(_RETURN, _ALLOW),
    ]
    return b"".join(rules)


def _instruction(code: int, constant: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, constant)


def _fails(number: int) -> bytes:
    return _instruction(_RETURN, _FAIL | number)
