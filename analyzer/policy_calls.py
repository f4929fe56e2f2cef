"""How games call policies: by address, with the answer in a register."""

from typing import TYPE_CHECKING, Any, Final, cast

from llvmlite import ir
from numba import types
from numba.core.callconv import excinfo_ptr_t
from numba.core.cgutils import alloca_once, create_struct_proxy, if_unlikely
from numba.extending import intrinsic

if TYPE_CHECKING:
    from collections.abc import Callable

_NUMBER: Final = ir.DoubleType().as_pointer()
_BYTES: Final = ir.IntType(8).as_pointer()
_ANSWER: Final = ir.LiteralStructType((ir.IntType(64), ir.IntType(32)))
"""An answer and whether the policy failed, as numba numbers failures: both come back in registers."""


def _lean_type(context: Any, view: Any) -> Any:
    """Return the type of a policy as games call it: (view, its first parameter, room for what is raised) -> answer."""
    return ir.FunctionType(_ANSWER, (context.get_argument_type(view), _NUMBER, _BYTES.as_pointer()))


def _lean_address(typing_context: Any, policy: Any) -> Any:  # noqa: ARG001 - numba's
    def generate(context: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
        (compiled,) = policy.dispatcher.overloads.values()
        view, parameters = compiled.signature.args
        context.add_linking_libs([compiled.library])
        called = context.declare_function(builder.module, compiled.fndesc)
        lean = ir.Function(builder.module, _lean_type(context, view), f"lean.{compiled.fndesc.mangled_name}")
        lean.linkage = "internal"
        inside = ir.IRBuilder(lean.append_basic_block())
        array = create_struct_proxy(parameters)(context, inside)  # type: ignore[no-untyped-call]
        array.data = lean.args[1]  # all that an entry point, which is made by us, reads of it
        given = (lean.args[0], array._getvalue())
        status, answer = context.call_conv.call_function(inside, called, types.int64, compiled.signature.args, given)
        with if_unlikely(inside, status.is_error):  # type: ignore[no-untyped-call]
            inside.store(inside.bitcast(status.excinfoptr, _BYTES), lean.args[2])
        both = inside.insert_value(ir.Constant(_ANSWER, ir.Undefined), answer, 0)
        inside.ret(inside.insert_value(both, status.code, 1))
        return builder.ptrtoint(lean, ir.IntType(64))

    return types.uint64(policy), generate


lean_address: Final = cast("Callable[[Any], int]", intrinsic(_lean_address))
"""Return the address of an entry point in the lean form that :func:`policy_call` calls. For compiled code only."""


def _policy_call(typing_context: Any, record: Any, slot: Any, seat: Any, view: Any, parameters: Any) -> Any:  # noqa: ARG001
    offset, (slots, seats) = record.offset("policies"), record.typeof("policies").shape

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word = context.get_value_type(types.intp)
        start = builder.gep(builder.bitcast(arguments[0], _BYTES), [ir.Constant(word, offset)])
        table = ir.ArrayType(ir.ArrayType(_lean_type(context, view).as_pointer(), seats), slots).as_pointer()
        at = [context.cast(builder, arguments[i], signature.args[i], types.intp) for i in (1, 2)]
        policy = builder.load(builder.gep(builder.bitcast(start, table), [ir.Constant(word, 0), *at]))
        array = create_struct_proxy(parameters)(context, builder, arguments[4])  # type: ignore[no-untyped-call]
        raised = alloca_once(builder, _BYTES)  # type: ignore[no-untyped-call]
        both = builder.call(policy, [arguments[3], array.data, raised])
        status = context.call_conv._get_return_status(
            builder, builder.extract_value(both, 1), builder.bitcast(builder.load(raised), excinfo_ptr_t)
        )
        with if_unlikely(builder, status.is_error):  # type: ignore[no-untyped-call]
            context.call_conv.return_status_propagate(builder, status)
        return builder.extract_value(both, 0)

    return types.int64(record, types.intp, types.intp, view, parameters), generate


policy_call: Final = cast("Callable[..., int]", intrinsic(_policy_call))
"""Call a policy whose address lies in a record, and return its answer: (record, slot, seat, view, parameters).

The record's field `policies`, uint64 of shape (slots, seats), has addresses from
:attr:`~analyzer.jit.EntryPoint.address`; the indices are not checked. For kernels only.

A policy taken from a tuple by a variable index is a jump that the processor cannot foresee, a tuple of policies handed
from function to function costs a third of the speed, and numba spends a millisecond on the types of one whenever a
kernel is called. Addresses in memory cost nothing, and there may be any number of them.

numba's own calls hand on the seven numbers of an array and bring back the answer in memory, where whatever is decided
by it has to wait for it. Here one address goes and the answer comes back in a register: games are 9 % faster.
"""
